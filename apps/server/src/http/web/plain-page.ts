// Plain pages for people who are not signed in or have no web IDE: the problem and the next step.
import { randomBytes } from 'node:crypto';
import { pageHeaders } from './page-headers.ts';

type Page = { headers: Record<string, string>; html: string };

/** The page's script signs in, with the text of the form or with the code in the address. */
export function signInPage(): Page {
  return plainPage(
    'Sign in',
    `<p role="alert" id="fault"></p>
<form>
<label for="token">Token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus>
<button>Sign in</button>
</form>
<p>No token at hand? Run <code>codelab sign-in</code> where the gateway runs: it prints a link that signs this browser in once.</p>`,
    '<script src="/sign-in.js" defer></script>',
  );
}

/** For a link from elsewhere: the browser withholds the cookie on such a navigation, and sends it when the page reloads itself. */
export function reloadPage(): Page {
  return plainPage(
    'One moment',
    '<p><a href="/">Continue</a></p>',
    '<meta http-equiv="refresh" content="0">',
  );
}

export function notBuiltPage(): Page {
  return plainPage(
    'The web IDE is not built',
    `<p>Run <code>npm run build</code> in the folder of CodeLab, then reload this page.</p>
<p>Everything else of the gateway works: see <code>/openapi.json</code>.</p>`,
  );
}

/** The colours are those of the page itself (apps/web/src/styles/tokens.css); these pages load nothing of it. */
const styles = `
:root { color-scheme: light dark; font: 14px/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; color: light-dark(#171c24, #e7ebf1); background: light-dark(#f6f7f9, #0f1216); }
main { box-sizing: border-box; width: min(24rem, calc(100vw - 2rem)); padding: 2rem; border: 1px solid light-dark(#dde1e8, #262e38); border-radius: 10px; background: light-dark(#fff, #151a20); }
main::before { content: "CodeLab"; font-weight: 600; color: light-dark(#2f50c8, #8aa8ff); }
h1 { margin: 0.25rem 0 1.25rem; font-size: 1.25rem; }
p { margin: 1.25rem 0 0; color: light-dark(#4c5768, #a3afbe); }
a { color: light-dark(#2f50c8, #8aa8ff); }
code { padding: 0.1em 0.35em; border-radius: 4px; background: light-dark(#eef0f4, #0b0e12); }
form { display: grid; gap: 0.5rem; }
label { font-weight: 500; }
input, button { box-sizing: border-box; width: 100%; padding: 0.55rem 0.75rem; border-radius: 6px; font: inherit; }
input { border: 1px solid light-dark(#8a94a3, #5d6a7a); color: inherit; background: light-dark(#fff, #0f1216); }
button { margin-top: 0.5rem; border: 0; font-weight: 600; cursor: pointer; color: light-dark(#fff, #0c1226); background: light-dark(#2f50c8, #8aa8ff); }
:focus-visible { outline: 2px solid light-dark(#2f50c8, #8aa8ff); outline-offset: 2px; }
[role=alert] { margin: 0 0 1rem; padding: 0.6rem 0.75rem; border-radius: 6px; color: light-dark(#b01f2e, #ff8a8f); background: light-dark(#fde7e8, #381719); }
[role=alert]:empty { display: none; }
`;

function plainPage(title: string, body: string, head = ''): Page {
  const nonce = randomBytes(16).toString('base64url');
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">${head}
<style nonce="${nonce}">${styles}</style>
<title>CodeLab: ${title}</title>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
  return { html, headers: pageHeaders(nonce) };
}
