// The configuration, instructions, MCP servers and language servers of a workspace.
import { createRuleBook, listServers } from '@codelab/runtime';
import { configFiles, loadConfig } from '@codelab/server';
import { rootInstructions } from '@codelab/server/agent';
import { realRoot } from '../command-line/define-command.ts';
import { instructionRows } from '../instructions/trust-question.ts';
import type { DoctorFinding } from './finding.ts';

/** Whether the configuration can be used, and every fault in it. */
type Places = { workspace: string; home: string; env: NodeJS.ProcessEnv };

export async function checkConfig({ workspace, home, env }: Places): Promise<DoctorFinding[]> {
  const finding = { name: 'configuration', isRequired: true };
  const advice = 'correct it: `codelab config edit`, or with --scope workspace; docs/configuration.md';
  const broken = (found: string): DoctorFinding => ({ ...finding, status: 'broken', found, advice });
  try {
    const root = realRoot(workspace);
    const files = configFiles({ home, root });
    const faults = files.flatMap((file) => file.faults);
    if (faults.length > 0) return faults.map(({ message }) => broken(message));
    const { mode, sources, workspace: state } = await loadConfig({ home, root, mode: undefined, env });
    const nothing = (): Promise<never> => Promise.reject(new Error('Nothing is kept here.'));
    createRuleBook({ mode, sources, reload: () => undefined, save: nothing, drop: nothing });
    const user = files[0].text === undefined ? 'defaults' : 'your config.json';
    const workspaceNotes = {
      none: '',
      trusted: ', the workspace’s, trusted',
      untrusted: ', the workspace’s as far as it tightens',
    };
    return [
      {
        ...finding,
        status: 'ok',
        found: `${user}${workspaceNotes[state]}`,
        advice: '`codelab config` lists it',
      },
    ];
  } catch (error) {
    return [broken(error instanceof Error ? error.message : String(error))];
  }
}

/** The instructions that agents get at the start of a session here, and how long they are. */
export async function checkInstructions({
  workspace,
  home,
}: {
  workspace: string;
  home: string;
}): Promise<DoctorFinding> {
  const finding = { name: 'instructions', isRequired: false };
  try {
    const rootFiles = await rootInstructions(home, realRoot(workspace));
    const rows = instructionRows(rootFiles);
    if (rows.length === 0)
      return { ...finding, status: 'missing', found: 'none', advice: '`codelab init` writes an AGENTS.md' };
    const isUsed = rootFiles.untrusted.length === 0 && rootFiles.problems.length === 0;
    const text = rows.map((row) => row.join(' ')).join(', ');
    const advice = 'read by agents at the start of a session: docs/instructions.md';
    return { ...finding, status: isUsed ? 'ok' : 'missing', found: text, advice };
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error);
    return { ...finding, status: 'broken', found, advice: 'docs/instructions.md' };
  }
}

/** The configured MCP servers. The doctor starts none: a server starts when an agent needs it. */
export async function checkMcp({ workspace, home, env }: Places): Promise<DoctorFinding> {
  const finding = { name: 'MCP servers', isRequired: false };
  try {
    const root = realRoot(workspace);
    const loaded = await loadConfig({ home, root, mode: undefined, env });
    const { mcpServers, untrustedMcpServers, problems } = loaded;
    if (problems.length > 0)
      return { ...finding, status: 'broken', found: 'not known', advice: 'see configuration' };
    const names = Object.keys(mcpServers);
    if (untrustedMcpServers.length > 0)
      return {
        ...finding,
        status: 'missing',
        found: `${listText(names)}; the workspace also names ${listText(untrustedMcpServers)}`,
        advice: 'read its .codelab/config.json, then `codelab policy trust`',
      };
    return names.length === 0
      ? { ...finding, status: 'missing', found: 'none configured', advice: 'more tools: docs/mcp-client.md' }
      : { ...finding, status: 'ok', found: listText(names), advice: 'started when an agent needs them' };
  } catch {
    return { ...finding, status: 'broken', found: 'not known', advice: 'see configuration' };
  }
}

function listText(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}

/** The installed language servers. The doctor starts none: a server starts when a tool needs it. */
export async function checkLanguageServers({ workspace, home, env }: Places): Promise<DoctorFinding[]> {
  try {
    const root = realRoot(workspace);
    const { lsp, untrustedLanguageServers: untrusted } = await loadConfig({
      home,
      root,
      mode: undefined,
      env,
    });
    const servers = listServers(lsp, root).map((server): DoctorFinding => {
      const finding = { name: `language server: ${server.language}`, isRequired: false };
      if (!('status' in server))
        return { ...finding, status: 'ok', found: server.server, advice: server.path };
      const found = server.status === 'unavailable' ? 'switched off' : `${server.server} is not installed`;
      return { ...finding, status: 'missing', found, advice: server.why ?? server.install };
    });
    const advice = 'read its .codelab/config.json, then `codelab policy trust`';
    const untrustedFindings: DoctorFinding[] = untrusted.map((language) => ({
      name: `language server: ${language}`,
      ...{ isRequired: false, status: 'missing', found: 'the workspace names one', advice },
    }));
    return [...servers, ...untrustedFindings];
  } catch {
    return [
      {
        name: 'language servers',
        isRequired: false,
        status: 'broken',
        found: 'not known',
        advice: 'see configuration',
      },
    ];
  }
}
