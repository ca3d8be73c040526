// The gateway that this window uses, and its token: the one that the settings name, or the window's own. Tokens are in the editor's
// secret storage and nowhere else.
import { randomBytes } from 'node:crypto';
import type { TokenSource } from '@codelab/client';
import { ToolError } from '@codelab/protocol';
import * as vscode from 'vscode';
import type { EditorSettings } from '../settings.ts';
import { startEmbeddedGateway } from './embedded-gateway.ts';

export type GatewayConnection = AsyncDisposable & { url: string; token: TokenSource; isEmbedded: boolean };

type Options = {
  secrets: vscode.SecretStorage;
  /** Aborts when the window closes, also while a gateway is starting. */
  closing: AbortSignal;
  onLog(line: string): void;
  onLost(reason: string): void;
};

export async function connectGateway(settings: EditorSettings, options: Options): Promise<GatewayConnection> {
  const { secrets } = options;
  if (settings.baseUrl !== '') {
    const key = tokenKey(settings.baseUrl);
    let token = await secrets.get(key);
    if (!token)
      throw new ToolError('UNAUTHORIZED', 'The gateway wants a token. Set it with "CodeLab: Set Token".');
    return {
      url: settings.baseUrl,
      // Read each time, so that a new token is used.
      async token() {
        try {
          token = await secrets.get(key);
        } catch {
          // A closing editor no longer answers; the last token still reports the outcome of the calls to the gateway.
        }
        return token ?? '';
      },
      isEmbedded: false,
      async [Symbol.asyncDispose]() {},
    };
  }
  const token = (await secrets.get(embeddedKey)) ?? randomBytes(32).toString('hex');
  await secrets.store(embeddedKey, token);
  const { command, model } = settings;
  const running = await startEmbeddedGateway({ ...options, command, model, token });
  options.onLog(`A gateway was started at ${running.url} (pid ${running.pid}).`);
  return {
    url: running.url,
    token,
    isEmbedded: true,
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

/** Asks for the token of the gateway that the settings name. False when the user enters none. */
export async function promptForToken(secrets: vscode.SecretStorage, baseUrl: string): Promise<boolean> {
  if (baseUrl === '') {
    void vscode.window.showInformationMessage(
      vscode.l10n.t(
        'This window starts a gateway of its own, which needs no token from you. Set codelab.api.baseUrl to use another one.',
      ),
    );
    return false;
  }
  const token = await vscode.window.showInputBox({
    title: vscode.l10n.t('Token for {0}', baseUrl),
    prompt: vscode.l10n.t('It is kept in the editor’s secret storage. Leave it empty to remove it.'),
    password: true,
    ignoreFocusOut: true,
  });
  if (token === undefined) return false;
  if (token.trim() === '') await secrets.delete(tokenKey(baseUrl));
  else await secrets.store(tokenKey(baseUrl), token.trim());
  return true;
}

const embeddedKey = 'codelab.token.embedded';

function tokenKey(baseUrl: string): string {
  return `codelab.token:${baseUrl}`;
}
