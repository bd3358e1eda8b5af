// Starts Swagger UI on /api/docs. An own file, since the content security policy forbids inline scripts.
import { followColourScheme } from './colour-scheme.ts';

interface SwaggerOptions {
  url: string;
  domNode: Element;
  presets: unknown[];
  deepLinking: boolean;
  displayRequestDuration: boolean;
  filter: boolean;
  persistAuthorization: boolean;
  queryConfigEnabled: boolean;
  tryItOutEnabled: boolean;
  validatorUrl: null;
}

declare const SwaggerUIBundle: {
  (options: SwaggerOptions): unknown;
  presets: { apis: unknown };
};

const place = document.querySelector<HTMLElement>('#api-explorer')!;

followColourScheme(() => {});
SwaggerUIBundle({
  url: place.dataset.specUrl!,
  domNode: place,
  presets: [SwaggerUIBundle.presets.apis],
  deepLinking: true,
  displayRequestDuration: true,
  filter: true,
  // A bearer token must not outlive the page in the browser's storage.
  persistAuthorization: false,
  // Nobody may point the page at another document by a link.
  queryConfigEnabled: false,
  tryItOutEnabled: false,
  // The appliance may have no way out, and a document is nobody else's business.
  validatorUrl: null,
});
