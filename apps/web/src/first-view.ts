// What stands on the screen at the first visit, besides the frame, as one file: each further request would delay the field.
// What is not shown before somebody asks for it does not belong here.
export { StatusBar } from './layout/status-bar.tsx';
export { startTurnNotices } from './views/approval/notices/turn-notices.ts';
export { ConversationView } from './views/conversation/conversation.tsx';
export { FilesView } from './views/files/files.tsx';
export { TodoView } from './views/todo/todo.tsx';
