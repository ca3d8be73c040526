// How the page is built: hashed files, nothing inline, so that a strict content security policy holds.
import { errorTable } from '@codelab/protocol';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const errorHelp = Object.fromEntries(Object.entries(errorTable).map(([code, { next }]) => [code, next]));
const gateway = 'http://127.0.0.1:4040';

/** What every wide screen shows at once. The page names it, so that it comes with the frame and not after it. */
const shownFirst = [
  'views/conversation/conversation.tsx',
  'views/files/files.tsx',
  'views/todo/todo.tsx',
  'views/modes/mode-picker.tsx',
  'views/worktrees/worktree-choice.tsx',
  'views/session-review/review-prompt.tsx',
  'layout/status-bar.tsx',
  'session/stream-session.ts',
];

function preloadShownFirst(): Plugin {
  return {
    name: 'preload-shown-first',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((part) => part.type === 'chunk');
        const named = new Set<string>();
        const name = (file: string): void => {
          if (named.has(file)) return;
          named.add(file);
          for (const imported of chunks.find(({ fileName }) => fileName === file)?.imports ?? [])
            name(imported);
        };
        for (const { fileName, moduleIds } of chunks)
          if (moduleIds.some((id) => shownFirst.some((first) => id.endsWith(`/src/${first}`))))
            name(fileName);
        return [...named]
          .filter((file) => !html.includes(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` },
            injectTo: 'head' as const,
          }));
      },
    },
  };
}

export default defineConfig({
  plugins: [react(), tailwindcss(), preloadShownFirst()],
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
        // A request costs more than an icon: what many views share comes in three files, not in dozens.
        // What the first screen does not need is in the last one, so that the first load does not wait for it.
        codeSplitting: {
          groups: [
            { name: 'icons', test: /lucide/ },
            { name: 'radix', test: /node_modules\/(@?radix-ui|@floating-ui)/, tags: ['$initial'] },
            { name: 'shared', test: /(apps|packages)\/\w+\/src/, minShareCount: 4, tags: ['$initial'] },
            // Not the editor and the diffs: a group takes along all that its files import.
            { name: 'shared-views', test: /apps\/web\/src\/(?!views\/editor|diff|code)/, minShareCount: 4 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': gateway, '/ws': { target: gateway, ws: true } } },
});
