// The files of the session on the screen: those of its worktree where it has one, otherwise those of the workspace.
import { fileCalls } from '@codelab/client';
import { requester } from '../api/api.ts';
import { currentSession } from './current-session.ts';

export const sessionFiles = fileCalls(requester, () => currentSession() || undefined);
