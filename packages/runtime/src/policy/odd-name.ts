// Names that are not what they look like: letters of one script that pass for another's, blanks and dots at the end, characters that
// are not seen or turn the text around.
import { visibleLine } from '@codelab/protocol';
import { nameCodePoint } from './name-code-point.ts';

// Letters that most fonts draw like a Latin one.
const cyrillic = 'авекмнорстухіјѕԁԛԝһѵАВЕКМНОРСТУХІЈЅҮ';
const greek = 'ανορυκτχιΑΒΕΖΗΙΚΜΝΟΡΤΥΧ';
const lookalikes = new Set(cyrillic + greek);

/** What is odd about a path, as a sentence; undefined when nothing is. */
export function oddName(path: string): string | undefined {
  if (/^[\x21-\x7e]*$/.test(path) && !/\.(\/|$)/.test(path)) return undefined;
  for (const name of path.split('/')) {
    const why = name === '' || name === '.' || name === '..' ? undefined : whyOdd(name);
    if (why !== undefined) return `The name ${JSON.stringify(visibleLine(name))} ${why}.`;
  }
  return undefined;
}

function whyOdd(name: string): string | undefined {
  const hidden = [...name].find((one) => visibleLine(one) !== one || /[^\P{Z} ]/u.test(one));
  if (hidden !== undefined) return `holds ${nameCodePoint(hidden)}, which is not seen or moves the text`;
  if (/^ | $/.test(name)) return 'begins or ends with a blank';
  if (name.endsWith('.')) return 'ends with a dot';
  const folded = [...name].find(
    (one) => one.charCodeAt(0) > 0x7f && /^[\x21-\x7e]+$/.test(one.normalize('NFKC')),
  );
  if (folded !== undefined) return `holds ${nameCodePoint(folded)}, which looks like another character`;
  return whyMixed(name.replace(/(?<=.)(\.[a-z0-9]+)+$/i, ''));
}

// A name in one script is a name; one whose letters all pass for Latin ones, or that mixes them with Latin, is a disguise.
function whyMixed(stem: string): string | undefined {
  const letters = [...stem].filter((one) => /\p{L}/u.test(one));
  const alike = letters.filter((one) => lookalikes.has(one));
  const [first] = alike;
  const isMixed = letters.some((one) => /\p{Script=Latin}/u.test(one));
  if (first === undefined || !(isMixed || alike.length === letters.length)) return undefined;
  return `holds ${nameCodePoint(first)}, which looks like a Latin letter`;
}
