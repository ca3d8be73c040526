// Which language the screen speaks: what was chosen before, else what the browser asks for.
import { create } from 'zustand';
import { remembered } from '../remembered.ts';
import { en, type Texts } from './en.ts';

export const languages = { en: 'English', ru: 'Русский', zh: '中文' } as const;
export type Language = keyof typeof languages;

const chosen = remembered<Language | ''>('language', '');

export const useLanguage = create<{ language: Language; texts: Texts }>(() => ({
  language: 'en',
  texts: en,
}));

/** To be awaited before the first rendering; only the language that is needed is loaded. */
export async function startLanguage(): Promise<void> {
  await speak(chosen.read() || preferred(navigator.languages));
}

export async function chooseLanguage(language: Language): Promise<void> {
  chosen.write(language);
  await speak(language);
}

function preferred(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const [base = ''] = tag.toLowerCase().split('-');
    if (isLanguage(base)) return base;
  }
  return 'en';
}

async function speak(language: Language): Promise<void> {
  const texts = await load(language);
  document.documentElement.lang = language;
  useLanguage.setState({ language, texts });
}

async function load(language: Language): Promise<Texts> {
  switch (language) {
    case 'en':
      return en;
    case 'ru':
      return (await import('./ru.ts')).ru;
    case 'zh':
      return (await import('./zh.ts')).zh;
  }
}

function isLanguage(tag: string): tag is Language {
  return Object.hasOwn(languages, tag);
}
