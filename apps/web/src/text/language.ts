// The language of the screen: the chosen one, else the browser's.
import { create } from 'zustand';
import { remembered } from '../remembered.ts';
import { en, type UiTexts } from './en.ts';

export const languages = { en: 'English', ru: 'Русский', zh: '中文' } as const;
export type UiLanguage = keyof typeof languages;

const chosen = remembered<UiLanguage | ''>('language', '');

export const useLanguage = create<{ language: UiLanguage; texts: UiTexts }>(() => ({
  language: 'en',
  texts: en,
}));

/** To be awaited before the first rendering; only the language that is needed is loaded. */
export async function startLanguage(): Promise<void> {
  await speak(chosen.read() || preferred(navigator.languages));
}

export async function chooseLanguage(language: UiLanguage): Promise<void> {
  chosen.write(language);
  await speak(language);
}

function preferred(wanted: readonly string[]): UiLanguage {
  for (const tag of wanted) {
    const [base = ''] = tag.toLowerCase().split('-');
    if (isLanguage(base)) return base;
  }
  return 'en';
}

export async function speak(language: UiLanguage): Promise<void> {
  const texts = await load(language);
  document.documentElement.lang = language;
  useLanguage.setState({ language, texts });
}

async function load(language: UiLanguage): Promise<UiTexts> {
  switch (language) {
    case 'en':
      return en;
    case 'ru':
      return (await import('./ru.ts')).ru;
    case 'zh':
      return (await import('./zh.ts')).zh;
  }
}

function isLanguage(tag: string): tag is UiLanguage {
  return Object.hasOwn(languages, tag);
}
