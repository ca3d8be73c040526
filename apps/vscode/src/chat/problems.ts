// The problems that keep a chat from working, as text for the user, each with a button.
import { ApiError } from '@codelab/client';
import { ToolError } from '@codelab/protocol';
import * as vscode from 'vscode';
import { readEditorSettings } from '../settings.ts';
import type { ChatConnectionState } from '../view/messages.ts';
import type { ChatState } from './chat-session.ts';

export type Remedy = { label: string; command: string };
export type ChatStatus = { connection: ChatConnectionState; problem: string; remedy?: Remedy };

export function chatStatusOf(state: ChatState): ChatStatus {
  switch (state.name) {
    case 'connecting':
      return { connection: 'starting', problem: '' };
    case 'live':
      return { connection: 'live', problem: '' };
    case 'lost':
      return {
        connection: 'lost',
        problem: vscode.l10n.t('The connection to the gateway is lost. Trying again…'),
      };
    case 'ended':
      return { connection: 'failed', ...problemOf(state.status, state.why) };
  }
}

/** Why a chat could not be opened. */
export function openFailureOf(error: unknown): Omit<ChatStatus, 'connection'> {
  if (error instanceof ApiError) return problemOf(error.status, error.message);
  if (error instanceof ToolError && error.code === 'UNAUTHORIZED')
    return { problem: vscode.l10n.t('The gateway wants a token.'), remedy: tokenRemedy() };
  if (error instanceof ToolError && error.code === 'FILE_NOT_FOUND')
    return {
      problem: `${error.message} ${vscode.l10n.t('Install it with “npm install -g codelab”, set its path, or set the address of a gateway.')}`,
      remedy: { label: vscode.l10n.t('Open settings'), command: 'settings' },
    };
  return { problem: error instanceof Error ? error.message : String(error), remedy: logRemedy() };
}

function problemOf(status: number, message: string): Omit<ChatStatus, 'connection'> {
  if (status === 401 || status === 403)
    return {
      problem: vscode.l10n.t('The gateway did not accept the token.'),
      remedy: tokenRemedy(),
    };
  if (status === 0)
    return {
      problem: vscode.l10n.t('There is no gateway at {0}.', readEditorSettings().baseUrl),
      remedy: { label: vscode.l10n.t('Try again'), command: 'retry' },
    };
  return { problem: message, remedy: logRemedy() };
}

export function logRemedy(): Remedy {
  return { label: vscode.l10n.t('Show log'), command: 'showLog' };
}

function tokenRemedy(): Remedy {
  return { label: vscode.l10n.t('Set token'), command: 'setToken' };
}
