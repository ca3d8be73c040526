// The words of the review after the fact: beside it and not with those of the page, because they are loaded with it.
import { useLanguage } from '../../text/language.ts';
import type { UiLanguage } from '../../text/load-texts.ts';
import { enSessionReview, type ReviewWords } from './words/en.ts';
import { ruSessionReview } from './words/ru.ts';
import { zhSessionReview } from './words/zh.ts';

const words: Record<UiLanguage, ReviewWords> = {
  en: enSessionReview,
  ru: ruSessionReview,
  zh: zhSessionReview,
};

export function useReviewWords(): ReviewWords {
  return words[useLanguage(({ language }) => language)];
}
