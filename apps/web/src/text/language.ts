// The language of the screen: the chosen one, else the browser's. Its words are loaded in two parts, and those of no other language.
import { create } from 'zustand';
import { remembered } from '../remembered.ts';
import type { UiTexts } from './en.ts';
import type { ViewTexts } from './en-views.ts';
import { languages, loadAdded, loadFirst, type UiLanguage, withAdded } from './load-texts.ts';

const chosen = remembered<UiLanguage | ''>('language', '');

/** `texts` has those of the views as well once `views` is set. Nothing is shown before the first words are there. */
type State = { language: UiLanguage; texts: UiTexts; views: ViewTexts | undefined };

export const useLanguage = create<State>(() => ({
  language: 'en',
  texts: {} as UiTexts,
  views: undefined,
}));

/** To be awaited before the first rendering. */
export async function startLanguage(): Promise<void> {
  const language = chosen.read() || preferred(navigator.languages);
  show(language, { texts: await loadFirst(language), views: undefined });
}

export async function chooseLanguage(language: UiLanguage): Promise<void> {
  chosen.write(language);
  await speak(language);
}

/** With the words of the views: what is open must not wait for them. */
export async function speak(language: UiLanguage): Promise<void> {
  const [first, added] = await Promise.all([loadFirst(language), loadAdded(language)]);
  const views = withAdded(first, added);
  show(language, { texts: views, views });
}

let loading: { language: UiLanguage; views: Promise<ViewTexts> } | undefined;

/** The words of the views in the present language. They are loaded once, beside the code of the view that needs them. */
export function loadViewTexts(): Promise<ViewTexts> {
  const { language, views } = useLanguage.getState();
  if (views !== undefined) return Promise.resolve(views);
  if (loading?.language !== language) loading = { language, views: addViews(language) };
  return loading.views;
}

async function addViews(language: UiLanguage): Promise<ViewTexts> {
  try {
    const [texts, added] = await Promise.all([loadFirst(language), loadAdded(language)]);
    const views = withAdded(texts, added);
    if (useLanguage.getState().language === language) useLanguage.setState({ texts: views, views });
    return views;
  } catch (error) {
    loading = undefined;
    throw error;
  }
}

function show(language: UiLanguage, texts: Omit<State, 'language'>): void {
  document.documentElement.lang = language;
  useLanguage.setState({ language, ...texts });
}

function preferred(wanted: readonly string[]): UiLanguage {
  for (const tag of wanted) {
    const [base = ''] = tag.toLowerCase().split('-');
    if (isLanguage(base)) return base;
  }
  return 'en';
}

function isLanguage(tag: string): tag is UiLanguage {
  return Object.hasOwn(languages, tag);
}
