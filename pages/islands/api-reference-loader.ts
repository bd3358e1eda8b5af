// Stands in for the document loader that Redoc would bring along (build/vendor.ts puts it in its place): our document is
// one JSON object of OpenAPI 3.1 without references to other files, so there is nothing to fetch, merge or convert.

export class Config {
  resolve = { http: {} };
}

/** Answers the document that it was given. */
export async function bundle<Parsed>(options: { doc: { parsed: Parsed } }): Promise<{ bundle: { parsed: Parsed } }> {
  return { bundle: { parsed: options.doc.parsed } };
}
