// Diagnostics after an edit: the errors and warnings that the edit introduced, where a language server was already running.
import { tellDiagnostic } from '../lsp/tell-diagnostic.ts';
import type { Host } from './host.ts';
import { inspect } from './other-ways.ts';

/** Empty when there are no diagnostics, or none arrive in time. */
export async function tellNewDiagnostics(
  host: Host,
  { id, session }: { id: string; session: string },
): Promise<string> {
  const servers = host.lsp.tellsAfterEdits ? host.lsp.opened() : undefined;
  if (servers === undefined) return '';
  const diagnostics = await inspect(host, { session }, (context) => servers.edits.after(id, context));
  if (diagnostics.length === 0) return '';
  return `\n\nNew since this edit:\n${diagnostics.map((diagnostic) => tellDiagnostic(diagnostic.path, diagnostic)).join('\n')}`;
}
