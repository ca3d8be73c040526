// Starts the page: language and theme first, so that nothing flashes in another one.
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { learnPlaces } from './layout/show-view.ts';
import { openLatest } from './session/use-follow-session.ts';
import './styles/app.css';
import { startLanguage } from './text/language.ts';
import { startTheme } from './theme.ts';
import { views } from './views.ts';

startTheme();
learnPlaces(views);
// Wanted at once: it loads while the frame is made.
void import('./views/conversation/conversation.tsx');
await Promise.all([startLanguage(), openLatest()]);

const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
