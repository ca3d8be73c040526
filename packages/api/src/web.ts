// The web IDE: its page, and signing a browser in and out.
import * as z from 'zod/mini';
import { route } from './route.ts';
import { lazily } from './shared.ts';

const secret = () => z.string().check(z.minLength(1), z.maxLength(8000));

export const webRoutes = {
  page: route({
    id: 'openPage',
    method: 'GET',
    path: '/',
    summary: 'The web IDE, or the page to sign in',
    media: ['text/html'],
    isOpen: true,
  }),
  signInPage: route({
    id: 'openSignInPage',
    method: 'GET',
    path: '/sign-in',
    summary: 'The page to paste a token',
    media: ['text/html'],
    isOpen: true,
  }),
  signInScript: route({
    id: 'getSignInScript',
    method: 'GET',
    path: '/sign-in.js',
    summary: 'The script of that page',
    media: ['text/javascript'],
    isOpen: true,
  }),
  signIn: route({
    id: 'signIn',
    method: 'POST',
    path: '/login',
    summary: 'Signs a browser in: sets the cookie, and answers once with the secrets that the page keeps',
    body: () =>
      z.union([
        z.strictObject({ code: secret() }),
        /** `link`: it stood in an address, which somebody else may have made. */
        z.strictObject({ token: secret(), link: z._default(z.boolean(), false) }),
      ]),
    answer: lazily(() => z.strictObject({ user: z.string(), secret: z.string(), key: z.string() })),
    isOpen: true,
  }),
  signOut: route({
    id: 'signOut',
    method: 'POST',
    path: '/logout',
    summary: 'Signs a browser out: its session ends, and all that it has open',
    status: 204,
    isOpen: true,
  }),
};
