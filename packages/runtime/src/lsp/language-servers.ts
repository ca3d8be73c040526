// The language servers of one host: what everybody may ask of them before anything about them is loaded.
import type { EditWatch } from './after-edits.ts';
import type { LspSettings } from './server/lsp-settings.ts';
import type { ServerPool, ServersOrder } from './server/server-pool.ts';

export type LanguageServers = AsyncDisposable & {
  readonly settings: LspSettings;
  /** Whether new diagnostics are told after edits. */
  readonly tellsAfterEdits: boolean;
  /** How long an answer is waited for. */
  readonly answerMs: number;
  pool(): Promise<ServerPool>;
  /** Undefined while nobody has asked anything. */
  opened(): OpenedServers | undefined;
};

type OpenedServers = { pool: ServerPool; edits: EditWatch };

/** Loads everything about them. */
export async function openServers(order: ServersOrder): Promise<OpenedServers> {
  const [{ createServerPool }, { createEditWatch }] = await Promise.all([
    import('./server/server-pool.ts'),
    import('./after-edits.ts'),
  ]);
  const pool = createServerPool(order);
  return { pool, edits: createEditWatch(pool.running) };
}
