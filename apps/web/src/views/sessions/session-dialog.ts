// Which question about which session is open.
import type { SessionLine } from '../../api/sessions.ts';

export type SessionDialog = { type: 'fork' | 'delete' | 'share'; line: SessionLine };
