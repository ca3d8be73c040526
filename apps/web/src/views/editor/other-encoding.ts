// Texts that are not UTF-8: the gateway sends each byte as a character, and the reader chooses the encoding. They can't be saved.
import { create } from 'zustand';
import { useLanguage } from '../../text/language.ts';
import type { UiLanguage } from '../../text/load-texts.ts';
import { replaceText } from './buffers.ts';
import { type OnDisk, readyFile } from './open-files.ts';

/** As browsers name them. */
export const fileEncodings = [
  'windows-1252',
  'windows-1251',
  'koi8-r',
  'gb18030',
  'big5',
  'shift_jis',
  'euc-jp',
  'euc-kr',
  'iso-8859-2',
] as const;
export type FileEncoding = (typeof fileEncodings)[number];

const useChosen = create<{ of: ReadonlyMap<string, FileEncoding> }>(() => ({ of: new Map() }));

/** The encoding that was chosen for a file; at first the usual one of the reader's language. */
export function useEncoding(path: string): FileEncoding {
  return useChosen(({ of }) => of.get(path)) ?? usual();
}

export function chooseEncoding(path: string, encoding: FileEncoding): void {
  useChosen.setState(({ of }) => ({ of: new Map(of).set(path, encoding) }));
  const file = readyFile(path);
  if (file !== undefined) replaceText(path, readable(path, file.disk));
}

/** The text as it is shown. */
export function readable(path: string, { text, encoding }: OnDisk): string {
  if (encoding !== 'latin1') return text;
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  return new TextDecoder(useChosen.getState().of.get(path) ?? usual()).decode(bytes);
}

export function isOther({ encoding }: OnDisk): boolean {
  return encoding === 'latin1' || encoding === 'utf-16le';
}

function usual(): FileEncoding {
  const ofLanguage: Record<UiLanguage, FileEncoding> = {
    en: 'windows-1252',
    ru: 'windows-1251',
    zh: 'gb18030',
  };
  return ofLanguage[useLanguage.getState().language];
}
