import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.js';
import './tokens.css';
import './base.css';

const root = document.getElementById('root');
if (root === null) throw new RangeError('the page has no place for the dashboard');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
