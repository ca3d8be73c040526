// The configuration of language servers, and the languages that result from it.
import { basename } from 'node:path';
import { builtInLanguages, type ServerLanguage, type ServerProgram } from './languages.ts';

/** A server named in the configuration replaces those known for the language; false means none. */
type NamedServer =
  | false
  | {
      command: string;
      args?: readonly string[] | undefined;
      env?: Readonly<Record<string, string>> | undefined;
      /** For an unknown language, or for more files of a known one. */
      extensions?: readonly string[] | undefined;
      language_id?: string | undefined;
      initialization_options?: unknown;
      settings?: Readonly<Record<string, unknown>> | undefined;
      install?: string | undefined;
    };

export type LspSettings = {
  servers?: Readonly<Record<string, NamedServer>> | undefined;
  /** Whether the agent is told of new diagnostics after its edits, where a server is already running. */
  afterEdits?: boolean | undefined;
  memoryBytes?: number | undefined;
  idleMs?: number | undefined;
  /** Time limits for a server's start, and for its answers. */
  startMs?: number | undefined;
  answerMs?: number | undefined;
};

/** `isNamed`: the configuration names the server, so a person has chosen the program. */
export type ServedLanguage = ServerLanguage & { isNamed: boolean; isOff: boolean };

export function languagesFor({ servers = {} }: LspSettings): ServedLanguage[] {
  const languages = builtInLanguages.map((language) => withNamed(language, servers[language.name]));
  const others = Object.entries(servers).flatMap(([name, server]) =>
    server === false || builtInLanguages.some((language) => language.name === name)
      ? []
      : [{ name, extensions: extensionsOf(name, server), programs: [programOf(server)] as const, ...flags }],
  );
  // A configured language takes precedence over a known one for its files.
  return [...others, ...languages];
}

const flags = { isNamed: true, isOff: false };

function withNamed(language: ServerLanguage, server: NamedServer | undefined): ServedLanguage {
  if (server === undefined) return { ...language, isNamed: false, isOff: false };
  if (server === false) return { ...language, isNamed: false, isOff: true };
  const addedExtensions = server.extensions === undefined ? {} : extensionsOf(language.name, server);
  return {
    ...language,
    ...flags,
    extensions: { ...language.extensions, ...addedExtensions },
    programs: [programOf(server, language)],
  };
}

type Named = Exclude<NamedServer, false>;

function extensionsOf(name: string, { extensions = [], language_id = name }: Named): Record<string, string> {
  return Object.fromEntries(extensions.map((extension) => [extension.toLowerCase(), language_id]));
}

/** Known facts about the same program, also by its path, still apply, unless the configuration overrides them. */
function programOf(server: Named, language?: ServerLanguage): ServerProgram {
  const { command, env, install } = server;
  const same = language?.programs.find(({ argv }) => argv[0] === basename(command));
  const args = server.args ?? same?.argv.slice(1) ?? [];
  const { package: _, runsProjectCode: __, ...known }: Partial<ServerProgram> = same ?? {};
  const options = server.initialization_options;
  return {
    ...known,
    install: install ?? known.install ?? `install ${command}`,
    argv: [command, ...args],
    ...(env && { env }),
    ...(options !== undefined && { initializationOptions: options }),
    ...(server.settings && { settings: { ...known.settings, ...server.settings } }),
  };
}
