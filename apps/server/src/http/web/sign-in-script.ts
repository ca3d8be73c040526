// The script of the sign-in page. It submits a code or token, stores the secrets of the response for this origin only, and opens the app.
// The stored keys are read by apps/web/src/api/page-session.ts.
import { webRoutes } from '@codelab/api';

export const signInScript = `'use strict';
const fault = document.getElementById('fault');
const given = new URLSearchParams(location.search);

async function signIn(body) {
  const answer = await fetch('${webRoutes.signIn.path}', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const said = await answer.json();
  if (!answer.ok) throw new Error(said.error.message);
  localStorage.setItem('codelab.page', JSON.stringify({ secret: said.secret, key: said.key }));
  given.delete('code');
  given.delete('token');
  const rest = given.size === 0 ? '' : '?' + given;
  location.replace('/' + rest + location.hash);
}

function start(body) {
  fault.textContent = '';
  signIn(body).catch((error) => {
    fault.textContent = error.message;
  });
}

document.querySelector('form').addEventListener('submit', (event) => {
  event.preventDefault();
  start({ token: document.getElementById('token').value });
});

if (given.has('code')) start({ code: given.get('code') });
else if (given.has('token')) start({ token: given.get('token'), link: true });
`;
