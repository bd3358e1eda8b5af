// Apache as a product that lets people sign in by OpenID Connect: Debian's mod_auth_openidc, with pages that tell who came.

interface Options {
  /** Of its own: log, process id and pages. */
  folder: string;
  /** Its address, over HTTP on this machine: `http://localhost:8090`. */
  product: string;
  client_id: string;
  client_secret: string;
  /** Address of the discovery document. */
  metadata: string;
  end_session: string;
  /** File with the root certificate. */
  roots: string;
}

const MODULES = ['mpm_event', 'authn_core', 'authz_core', 'authz_user', 'headers', 'alias', 'auth_openidc'];

export const apacheConfiguration = (options: Options): string => `ServerName ${new URL(options.product).host}
ServerRoot ${options.folder}
Listen 127.0.0.1:${new URL(options.product).port}
PidFile ${options.folder}/pid
ErrorLog ${options.folder}/error.log
DocumentRoot ${options.folder}
User www-data
Group www-data
${MODULES.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
OIDCProviderMetadataURL ${options.metadata}
OIDCClientID ${options.client_id}
OIDCClientSecret ${options.client_secret}
OIDCRedirectURI ${options.product}/callback
OIDCProviderEndSessionEndpoint ${options.end_session}
OIDCCryptoPassphrase of-a-test-alone
OIDCScope "openid profile email groups"
OIDCPKCEMethod S256
OIDCResponseMode query
OIDCRemoteUserClaim preferred_username
OIDCCABundlePath ${options.roots}
OIDCSSLValidateServer On
<Location /bye>
  Redirect 200 /bye
</Location>
<Location /private>
  AuthType openid-connect
  Require claim groups:admin
  Header always set X-User "expr=%{REMOTE_USER}"
  Header always set X-Groups "%{OIDC_CLAIM_groups}e"
  Header always set X-Sub "%{OIDC_CLAIM_sub}e"
  Redirect 200 /private
</Location>
<Location /others>
  AuthType openid-connect
  Require claim groups:somebody-else
  Redirect 200 /others
</Location>
<Location /callback>
  AuthType openid-connect
  Require valid-user
</Location>
`;
