// How the page is built: hashed files, nothing inline, so that a strict content security policy holds.
import { errorTable } from '@codelab/protocol';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { pageRoutes } from '../../scripts/page-routes.ts';

const errorHelp = Object.fromEntries(
  Object.entries(errorTable).map(([code, { next }]) => [code, ['', next]]),
);
const gateway = 'http://127.0.0.1:4040';

export default defineConfig({
  plugins: [react(), tailwindcss(), pageRoutes],
  define: { __ERROR_HELP__: JSON.stringify(errorHelp) },
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: ['chrome123', 'firefox120', 'safari17.5'],
    // Data addresses would be inline; icons and fonts are files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      output: {
        // Few files, for a request costs more than an icon and a large file compresses better. What the first screen does not need is in
        // the last two, so that the first load does not wait for it. A group takes along all that its files import.
        codeSplitting: {
          groups: [
            // Without the entry, which waits for files that import from here.
            { name: 'frame', test: (id) => !/\/(main\.tsx|index\.html)$/.test(id), tags: ['$initial'] },
            { name: 'first-view', test: /apps\/web\/src\/first-view\.ts/ },
            { name: 'icons', test: /lucide/ },
            // Not the editor and the diffs: three small files of the editor would bring all of CodeMirror.
            { name: 'shared-views', test: /apps\/web\/src\/(?!views\/editor|diff|code)/, minShareCount: 4 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': gateway, '/ws': { target: gateway, ws: true } } },
});
