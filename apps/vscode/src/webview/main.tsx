// Starts the chat view in the editor's language, then shows what the extension sends.
import { speak, type UiLanguage } from '@codelab/web';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ChatApp } from './app.tsx';
import { listenToExtension, postToExtension } from './store.ts';
import './webview.css';

const [base = 'en'] = document.documentElement.lang.toLowerCase().split('-');
const language: UiLanguage = base === 'ru' || base === 'zh' ? base : 'en';

listenToExtension();
await speak(language);
const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <ChatApp />
    </StrictMode>,
  );
}
postToExtension({ type: 'ready' });
