// Signing in on the public pages.

import { requireOffered } from '../../shared/appliance/overview/public-settings.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { Problem } from '../../shared/ground/problems.ts';
import { scopesOfSession } from '../../shared/kernel/access/scopes.ts';
import { signInForm } from '../forms/sign-in-form.ts';

export const operation = signInForm({
  id: 'publicSignInForm',
  plane: 'public',
  path: pagePath('public-sign-in'),
  description:
    'Starts a session of the public pages, with the password of an account of the appliance. It is none of the management pages: it has a cookie of its own, and it may ask for certificates and nothing else, whatever the role may do besides. A role that may not ask for certificates (write:ca-requests) is refused (403). Nothing answers while the public pages do not take certificate requests. Failures are slowed as those at the management pages are, and count together with them.',
  offered: ({ store }) => requireOffered(store, 'certificate_requests'),
  admits(role) {
    if (scopesOfSession(role, 'public').has('write:ca-requests')) return;
    const says = `Certificates are asked for by roles that may do so; yours, ${role}, may not. Ask whoever runs the appliance.`;
    throw new Problem('insufficient_scope', says, { scope: 'write:ca-requests', lacks: 'role', role });
  },
  next: () => pagePath('public-requests'),
});
