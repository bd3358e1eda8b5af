// Signing in with the browser.
import { pagePath, returnPath } from '../../shared/ground/page-paths.ts';
import { signInForm } from '../forms/sign-in-form.ts';

export const operation = signInForm({
  id: 'signInForm',
  plane: 'management',
  path: pagePath('sign-in'),
  description:
    'Starts a browser session. Repeated failures are slowed per source: an IPv4 address or an IPv6 /64. No account is ever locked. While strangers keep guessing at an account, sources that did not sign in to it within 30 days take turns: each waits at most 5 seconds for every source that asked before and has not failed yet, and is told to come back after 20 seconds (429).',
  next: (fields) => returnPath(fields.text('return_to')),
});
