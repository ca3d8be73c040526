// How the chat view is built: one script and one sheet with fixed names, and chunks for what is loaded later.
import { errorTable } from '@codelab/protocol';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const errorHelp = Object.fromEntries(
  Object.entries(errorTable).map(([code, { next }]) => [code, ['', next]]),
);

export default defineConfig({
  base: './',
  plugins: [react(), tailwindcss()],
  define: { __ERROR_HELP__: JSON.stringify(errorHelp) },
  build: {
    outDir: 'dist/webview',
    emptyOutDir: true,
    target: 'chrome123',
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
    rolldownOptions: {
      input: 'src/webview/main.tsx',
      output: {
        entryFileNames: 'main.js',
        chunkFileNames: 'chunk-[hash].js',
        assetFileNames: 'main[extname]',
      },
    },
  },
});
