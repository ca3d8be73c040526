// The diagnostics of typescript-language-server. It publishes them in parts, without a version, and not at all when they stay the same,
// so nothing shows when they are complete. The compiler behind it can be asked through a command of the server.
import { fileURLToPath } from 'node:url';
import { type AnswerDiagnostic, type Capabilities, readServerAnswer } from '../answers.ts';
import type { ServerConnection } from './connection.ts';

const command = 'typescript.tsserverRequest';
const requests = ['syntacticDiagnosticsSync', 'semanticDiagnosticsSync', 'suggestionDiagnosticsSync'];
const severities: Readonly<Record<string, number>> = { error: 1, warning: 2, message: 3, suggestion: 4 };

export function canAskTsserver({ executeCommandProvider }: Capabilities): boolean {
  const { commands } = (executeCommandProvider ?? {}) as { commands?: unknown };
  return Array.isArray(commands) && commands.includes(command);
}

export async function askTsserver(
  connection: ServerConnection,
  uri: string,
  wait: { signal: AbortSignal; mostMs: number },
): Promise<AnswerDiagnostic[]> {
  const file = fileURLToPath(uri);
  const answers = await Promise.all(
    requests.map((request) =>
      connection.request('workspace/executeCommand', { command, arguments: [request, { file }] }, wait),
    ),
  );
  return answers.flatMap((answer) =>
    (readServerAnswer('tsserver', answer).body ?? []).map(
      ({ start, end, text, code, category, source }): AnswerDiagnostic => ({
        range: { start: placeOf(start), end: placeOf(end) },
        severity: severities[category] ?? 1,
        message: text,
        code,
        source: source ?? 'typescript',
      }),
    ),
  );
}

/** tsserver counts lines and columns from 1. */
function placeOf({ line, offset }: { line: number; offset: number }) {
  return { line: Math.max(0, line - 1), character: Math.max(0, offset - 1) };
}
