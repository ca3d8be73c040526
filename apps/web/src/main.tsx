// Starts the page: language and theme first, so that no other ones flash.
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { takeTabs } from './layout/layout-store.ts';
import { learnPlaces } from './layout/show-view.ts';
import { setMarkdownHost } from './markdown/markdown-host.ts';
import { followAddress, openLatest } from './session/follow-session.ts';
import './styles/app.css';
import { loadFirstView } from './from-first-view.ts';
import { loadSettings } from './settings-store.ts';
import { startLanguage } from './text/language.ts';
import { startTheme } from './theme.ts';
import { views } from './views.ts';

startTheme();
learnPlaces(views);
setMarkdownHost({
  openCode: async (text, ending) => (await import('./views/editor/open-as-file.ts')).openAsFile(text, ending),
  pictureSource: async (path) =>
    (await import('./views/editor/preview/picture-source.ts')).pictureSource(path),
  drawDiagram: async (source) => (await import('./markdown/draw-diagram.ts')).drawDiagram(source),
});
// Wanted at once: it loads while the frame is made.
loadFirstView();
void takeTabs();
void loadSettings();
await Promise.all([startLanguage(), openLatest().then(followAddress)]);

const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
