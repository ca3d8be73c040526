// Loads the words of one language: those of the first screen, and those that the views add.
import { retried } from '../load-later.ts';
import type { UiTexts } from './en.ts';
import type { AddedTexts, ViewTexts } from './en-views.ts';
// All words count with it: imported here it is part of the frame, and no file of its own.
import './plural.ts';

export const languages = { en: 'English', ru: 'Русский', zh: '中文' } as const;
export type UiLanguage = keyof typeof languages;

export function loadFirst(language: UiLanguage): Promise<UiTexts> {
  switch (language) {
    case 'en':
      return retried(async () => (await import('./en.ts')).en);
    case 'ru':
      return retried(async () => (await import('./ru.ts')).ru);
    case 'zh':
      return retried(async () => (await import('./zh.ts')).zh);
  }
}

export function loadAdded(language: UiLanguage): Promise<AddedTexts> {
  switch (language) {
    case 'en':
      return retried(async () => (await import('./en-views.ts')).enViews);
    case 'ru':
      return retried(async () => (await import('./ru-views.ts')).ruViews);
    case 'zh':
      return retried(async () => (await import('./zh-views.ts')).zhViews);
  }
}

/** Each area with the words of both parts. */
export function withAdded(first: UiTexts, { reasons, ...added }: AddedTexts): ViewTexts {
  const areas = Object.entries(added).map(([area, words]) => [
    area,
    { ...first[area as keyof UiTexts], ...words },
  ]);
  const { phrases } = first;
  return {
    ...first,
    ...Object.fromEntries(areas),
    phrases: phrases && { ...phrases, table: { ...phrases.table, ...reasons } },
  };
}
