// Asks at the terminal for a provider's connection: an address, a key, or both. Typed text stays when a question is repeated.
import '../shared.ts';
import type { OwnProvider, Provider } from '@codelab/agent';
import { askLine, askSecret } from '../terminal/ask-line.ts';
import { printNotice, type Tty } from '../terminal/open-terminal.ts';
import { completeAddress, isAddress } from './address.ts';

export type TypedConnection = { key?: string; base_url?: string };

/** `before` is what is stored or was typed last. Undefined when the user leaves with Escape. */
export async function askConnection(
  terminal: Tty,
  provider: Provider,
  { before, signal }: { before: Pick<OwnProvider, 'key' | 'base_url'>; signal: AbortSignal },
): Promise<TypedConnection | undefined> {
  const { isLocal, url } = provider;
  const hasAddress = isLocal || url === undefined;
  const address = hasAddress ? await askAddress(terminal, provider, before.base_url, signal) : undefined;
  if (hasAddress && address === undefined) return undefined;
  const withAddress = address === undefined ? {} : { base_url: address };
  if (isLocal) return withAddress;
  const key = await askKey(terminal, provider, before.key, signal);
  if (key === undefined) return undefined;
  return key === '' ? withAddress : { ...withAddress, key };
}

/** Whether requests without a key are refused: every provider that hands out keys does. */
export function needsKey({ isLocal, url, keyPage }: Provider): boolean {
  return !isLocal && (url !== undefined || keyPage !== undefined);
}

async function askAddress(
  terminal: Tty,
  { name, label, url }: Provider,
  before: string | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  const usual = url === undefined ? '' : ` [${url}]`;
  for (let text = before ?? ''; ; ) {
    const typedAddress = await askLine(terminal, { prompt: `Address of ${label}${usual}: `, signal, text });
    if (typedAddress === undefined) return undefined;
    text = typedAddress.trim();
    if (text === '' && url !== undefined) return url;
    // Ollama's own rule completes its addresses, with its own port.
    const address = name === 'ollama' ? text : completeAddress(text);
    if (name === 'ollama' || isAddress(address)) return address;
    printNotice(
      terminal,
      text === ''
        ? 'Enter an address, such as http://127.0.0.1:8000/v1, or press Esc to cancel.'
        : 'This is not an http or https address without a user or password. Correct it, or press Esc to cancel.',
    );
  }
}

/** Empty for none. */
async function askKey(
  terminal: Tty,
  provider: Provider,
  before: string | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { label, keyPage } = provider;
  const page = keyPage === undefined ? '' : ` from ${keyPage}`;
  const isNeeded = needsKey(provider);
  const onEnter = before !== undefined ? '; Enter keeps the current key' : isNeeded ? '' : '; Enter for none';
  for (;;) {
    const typedKey = await askSecret(terminal, {
      prompt: `Key for ${label}${page} (not shown${onEnter}): `,
      signal,
    });
    if (typedKey === undefined) return undefined;
    const key = typedKey === '' ? (before ?? '') : typedKey;
    if (key !== '' || !isNeeded) return key;
    printNotice(terminal, `${label} needs a key. Esc cancels.`);
  }
}
