// Options that several commands share, and what they select: workspace, mode, dialect, profile.

import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Dialect, dialectNames, findDialect } from '@codelab/dialects';
import { policyModes, ToolError, visibleLine } from '@codelab/protocol';
import { defaultProfile, type Profile } from '@codelab/runtime';
import { type ComposeOptions, defaultHome, profileSource } from '@codelab/server';
import { writeText } from '../output/write-text.ts';
import { type Options, UsageError } from './define-command.ts';

/** The workspace, the state folder and the mode, from the options and the environment. */
type Given = { workspace?: string; mode?: string };

export function composeOptions({ workspace = '.', mode }: Given): ComposeOptions {
  const onNotice = (text: string): void => writeText(2, `codelab: ${visibleLine(text)}\n`);
  const places = { workspace: resolve(workspace), home: defaultHome(), isShortLived: true, onNotice };
  const known = policyModes.find((one) => one === mode);
  return known === undefined ? places : { ...places, mode: known };
}

/** The dialect that --dialect names. An unknown name is wrong usage, not a failed call. */
export function chooseDialect(name = 'codelab', workspace = '.'): Dialect {
  try {
    // Some dialects need the workspace to read a path with a leading slash.
    const needsRoot = name === 'kode' || name === 'agent';
    return needsRoot ? findDialect(name, { root: realRoot(workspace) }) : findDialect(name);
  } catch (error) {
    throw error instanceof ToolError ? new UsageError(error.message) : error;
  }
}

/** The profile that --profile names. An unknown name is wrong usage, not a failed call. */
export async function chooseProfile(name = defaultProfile, workspace = '.'): Promise<readonly Profile[]> {
  // A profile has the same tools whether or not the workspace is trusted.
  const source = profileSource({ home: defaultHome(), root: realRoot(workspace), isTrusted: false });
  try {
    return await source.find(name);
  } catch (error) {
    if (!(error instanceof ToolError && error.code === 'INVALID_ARGUMENTS')) throw error;
    const names = (await source.all()).map((one) => one.name);
    throw new UsageError(`--profile must be one of: ${names.join(', ')}.`);
  }
}

/** The workspace as the core knows it: an existing folder, by its real path. */
export function realRoot(workspace = '.'): string {
  try {
    return realpathSync(resolve(workspace));
  } catch {
    throw new ToolError(
      'FILE_NOT_FOUND',
      `Folder not found: ${workspace}. Pass an existing folder with --workspace DIR.`,
    );
  }
}

/** Options that several commands share, each declared once. */
export const commonOptions = {
  workspace: { type: 'string', value: 'DIR', summary: 'folder to work in (default: current folder)' },
  json: { type: 'boolean', summary: 'print JSON' },
  dialect: {
    type: 'string',
    value: 'NAME',
    choices: dialectNames,
    summary: 'wire format of calls and results',
  },
  profile: {
    type: 'string',
    value: 'NAME',
    summary: 'role of the agent, which sets its tools: build, plan, ask, architect, debug or one of your own',
  },
  mode: {
    type: 'string',
    value: 'MODE',
    choices: policyModes,
    summary:
      'how much runs without approval (default: strict; in chats and runs your choice for this folder, else balanced)',
  },
  scope: {
    type: 'string',
    value: 'SCOPE',
    choices: ['user', 'workspace'],
    summary: 'for all your workspaces, or for this one',
  },
} as const satisfies Options;
