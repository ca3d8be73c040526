// Which question about which session is open.
import type { Session } from '@codelab/api';

export type SessionDialog = { type: 'fork' | 'delete' | 'share'; line: Session };
