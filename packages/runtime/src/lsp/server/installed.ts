// Lists the language servers that are installed, without starting any.
import { type FoundServer, findServer, type MissingServer } from './find-server.ts';
import { type LspSettings, languagesFor } from './lsp-settings.ts';

/** The server of every known or configured language. */
export function listServers(settings: LspSettings, root: string): (FoundServer | MissingServer)[] {
  return languagesFor(settings).map((language) => findServer(language, root));
}

/** Whether any server is installed, so that its tools are worth offering. */
export function hasServer(settings: LspSettings, root: string): boolean {
  return languagesFor(settings).some((language) => !('status' in findServer(language, root)));
}

/** A line for each server that the configuration names and that is not installed. */
export function missingNotices(settings: LspSettings, root: string): string[] {
  const missing = languagesFor(settings)
    .filter(({ isNamed }) => isNamed)
    .map((language) => findServer(language, root));
  return missing.flatMap((server) =>
    'status' in server
      ? [`[LSP] ${server.language}: ${server.server} is not installed; run: ${server.install}`]
      : [],
  );
}
