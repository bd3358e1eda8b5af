// Links that change one part of a page's query string and keep the rest: sort, filter, cursor.

/** Where the page is: its path, and its query string with or without the question mark. */
export interface Place {
  path: string;
  query: string;
}

/** The same page with `changes` applied; null removes a parameter. A changed list starts again at its first page. */
export function linkWith(place: Place, changes: Record<string, string | null>): string {
  const query = new URLSearchParams(place.query);
  if (!('cursor' in changes)) query.delete('cursor');
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  return text === '' ? place.path : `${place.path}?${text}`;
}

/** Another page or a file with those parameters that it knows. */
export function linkBy(path: string, query: URLSearchParams, names: readonly string[]): string {
  const kept = new URLSearchParams([...query].filter(([name]) => names.includes(name)));
  return `${path}${kept.size > 0 ? `?${kept}` : ''}`;
}

/** Parameters that a form must carry on because it has no field for them. */
export function parametersBut(place: Place, names: readonly string[]): [name: string, value: string][] {
  return [...new URLSearchParams(place.query)].filter(([name]) => name !== 'cursor' && !names.includes(name));
}
