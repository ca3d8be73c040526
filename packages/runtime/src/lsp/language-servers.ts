// The language servers of one host, as other modules see them before the implementation is loaded.
import type { EditWatch } from './after-edits.ts';
import type { LspSettings } from './server/lsp-settings.ts';
import type { ServerPool, ServersOrder } from './server/server-pool.ts';

export type LanguageServers = AsyncDisposable & {
  readonly settings: LspSettings;
  /** Whether new diagnostics are reported after edits. */
  readonly tellsAfterEdits: boolean;
  /** How long to wait for an answer. */
  readonly answerMs: number;
  pool(): Promise<ServerPool>;
  /** Undefined until the first question. */
  opened(): OpenedServers | undefined;
};

type OpenedServers = { pool: ServerPool; edits: EditWatch };

/** Loads the implementation. */
export async function openServers(order: ServersOrder): Promise<OpenedServers> {
  const [{ createServerPool }, { createEditWatch }] = await Promise.all([
    import('./server/server-pool.ts'),
    import('./after-edits.ts'),
  ]);
  const pool = createServerPool(order);
  return { pool, edits: createEditWatch(pool.running) };
}
