import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  base: '/ui/',
  plugins: [react()],
  build: {
    outDir: fileURLToPath(new URL('../dist/ui', import.meta.url)),
    emptyOutDir: true,
    target: 'es2023',
    // The content security policy allows no inline scripts and no `data:` styles or fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
