// The web IDE: its page, and signing a browser in and out.
import * as z from 'zod/mini';
import { defineRoute } from '../route.ts';
import { jsonObject, lazily } from '../shared.ts';

const secret = () => z.string().check(z.minLength(1), z.maxLength(8000));

export const webRoutes = {
  page: defineRoute({
    id: 'openPage',
    method: 'GET',
    path: '/',
    summary: 'The web IDE, or the page to sign in',
    media: ['text/html'],
    isOpen: true,
  }),
  signInPage: defineRoute({
    id: 'openSignInPage',
    method: 'GET',
    path: '/sign-in',
    summary: 'The page to paste a token',
    media: ['text/html'],
    isOpen: true,
  }),
  signInScript: defineRoute({
    id: 'getSignInScript',
    method: 'GET',
    path: '/sign-in.js',
    summary: 'The script of that page',
    media: ['text/javascript'],
    isOpen: true,
  }),
  diagramPage: defineRoute({
    id: 'openDiagramPage',
    method: 'GET',
    path: '/diagram',
    summary: 'The frame without origin and network in which the web IDE draws diagrams',
    media: ['text/html'],
    isOpen: true,
  }),
  signIn: defineRoute({
    id: 'signIn',
    method: 'POST',
    path: '/login',
    summary: 'Signs a browser in: sets the cookie, and answers once with the secrets that the page keeps',
    body: () =>
      z.union([
        z.strictObject({ code: secret() }),
        /** `link`: the token was in a link, which a stranger may have made. */
        z.strictObject({ token: secret(), link: z._default(z.boolean(), false) }),
      ]),
    answer: lazily(() => z.strictObject({ user: z.string(), secret: z.string(), key: z.string() })),
    isOpen: true,
  }),
  signOut: defineRoute({
    id: 'signOut',
    method: 'POST',
    path: '/logout',
    summary: 'Signs a browser out: its session ends, and all that it has open',
    status: 204,
    isOpen: true,
  }),
};

/**
 * The state that a screen stores for its person, so that it survives a reload, a restart and another device: drafts, open tabs, folded
 * parts.
 */
const Screen = lazily(() => z.strictObject({ state: jsonObject() }));
/** Named keys are replaced; null removes one. */
const ScreenChange = () => z.strictObject({ state: jsonObject() });

export const screenRoutes = {
  get: defineRoute({
    id: 'getScreen',
    method: 'GET',
    path: '/api/v1/screen',
    summary: 'The screen state of the workspace',
    answer: Screen,
  }),
  change: defineRoute({
    id: 'changeScreen',
    method: 'PATCH',
    path: '/api/v1/screen',
    summary: 'Saves screen state of the workspace; null removes a field',
    body: ScreenChange,
    status: 204,
  }),
  getOf: defineRoute({
    id: 'getSessionScreen',
    method: 'GET',
    path: '/api/v1/sessions/{id}/screen',
    summary: 'The screen state of a session, such as the draft of a message',
    answer: Screen,
  }),
  changeOf: defineRoute({
    id: 'changeSessionScreen',
    method: 'PATCH',
    path: '/api/v1/sessions/{id}/screen',
    summary: 'Saves screen state of a session; null removes a field',
    body: ScreenChange,
    status: 204,
  }),
};
