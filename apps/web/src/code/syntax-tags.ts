// The colours of grammar parts, shared by the editor and diffs.
import { type Tag, tags } from '@lezer/highlight';

type SyntaxLook = {
  tag: readonly Tag[];
  /** As in the tokens: `--syntax-…`. */
  color: string;
  className: string;
  font?: { fontStyle?: string; fontWeight?: string };
};

export const syntaxTags: readonly SyntaxLook[] = [
  {
    tag: [tags.keyword, tags.modifier, tags.operatorKeyword],
    color: 'keyword',
    className: 'text-syntax-keyword',
  },
  {
    tag: [tags.string, tags.special(tags.string), tags.regexp, tags.attributeValue, tags.monospace],
    color: 'string',
    className: 'text-syntax-string',
  },
  {
    tag: [tags.number, tags.bool, tags.null, tags.atom, tags.unit],
    color: 'number',
    className: 'text-syntax-number',
  },
  {
    tag: [tags.comment, tags.meta],
    color: 'comment',
    className: 'text-syntax-comment',
    font: { fontStyle: 'italic' },
  },
  {
    tag: [
      tags.function(tags.variableName),
      tags.function(tags.propertyName),
      tags.definition(tags.function(tags.variableName)),
    ],
    color: 'function',
    className: 'text-syntax-function',
  },
  {
    tag: [tags.typeName, tags.className, tags.tagName, tags.namespace, tags.link, tags.url],
    color: 'type',
    className: 'text-syntax-type',
  },
  {
    tag: [tags.propertyName, tags.attributeName],
    color: 'variable',
    className: 'text-syntax-variable',
  },
  {
    tag: [tags.punctuation, tags.operator, tags.bracket],
    color: 'punctuation',
    className: 'text-syntax-punctuation',
  },
  {
    tag: [tags.heading],
    color: 'function',
    className: 'text-syntax-function font-semibold',
    font: { fontWeight: '600' },
  },
];
