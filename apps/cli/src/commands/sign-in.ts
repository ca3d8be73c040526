// `codelab sign-in`: a new link for the web IDE. Write access to the state folder makes one the operator, so no gateway is asked.
import '../shared.ts';
import { createSignInCode, defaultHome, hostNameOf } from '@codelab/server';
import { commonOptions, defineCommand, UsageError } from '../command-line/define-command.ts';
import { writeText } from '../command-line/process.ts';

const { json } = commonOptions;

export const signIn = defineCommand({
  words: '[URL]',
  takes: { min: 0, max: 1 },
  about: `Prints a link that signs a browser in to the web IDE as the operator. The link works once and expires after 15 minutes.
URL is the address of \`codelab serve\` (default: http://127.0.0.1:4040).`,
  options: { json },
  examples: ['codelab sign-in', 'codelab sign-in http://127.0.0.1:4100'],
  run({ words: [url = 'http://127.0.0.1:4040'], options }) {
    const address = URL.parse(url);
    if (address === null || !/^https?:$/.test(address.protocol))
      throw new UsageError(`${url} is not a URL. Use the one that \`codelab serve\` printed.`);
    const home = defaultHome();
    const hostName = hostNameOf(home, address.host);
    const page = hostName === undefined ? address.origin : `http://${hostName}:${address.port || '80'}`;
    const link = `${page}/?code=${createSignInCode(home)}`;
    writeText(1, options.json ? `${JSON.stringify({ url: link })}\n` : `${link}\n`);
    return 0;
  },
});
