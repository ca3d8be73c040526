// A call found in a text: it gets its id later.
import type { WantedCall } from '@codelab/protocol';

export type FoundCall = Omit<WantedCall, 'id'>;
