import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError } from './api/client.js';
import { forgetSession } from './api/session.js';
import { App } from './app.js';
import { applyTheme, storedTheme } from './shell/theme.js';
import './tokens.css';
import './base.css';

applyTheme(storedTheme());

const client = new QueryClient({
  queryCache: new QueryCache({
    // If any read fails because the session has ended, the person must sign in again.
    onError: (error) => {
      if (error instanceof ApiError && error.status === 401) forgetSession(client);
    },
  }),
  defaultOptions: {
    // A browser that reports being offline can still reach a local edge. Reads that can't be sent fail.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 2_000,
      retry: (count, error) => error instanceof ApiError && [429, 503].includes(error.status) && count < 2,
    },
  },
});

const root = document.getElementById('root');
if (root === null) throw new RangeError('the page has no element for the dashboard');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
);
