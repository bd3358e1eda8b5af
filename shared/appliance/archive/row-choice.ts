// A row of an archive as the value of a checkbox: where it is, and what people call it. It goes along with the form, since a
// refused one does not open the archive again.

export interface RowChoice {
  unit: string;
  collection: string;
  /** By which the row is chosen. */
  id: string;
  /** Its list and its title. */
  says: string;
}

/** No part has a slash: it is escaped. */
export const rowChoice = ({ unit, collection, id, says }: RowChoice): string =>
  [unit, collection, id, says].map(encodeURIComponent).join('/');

/** What nobody offered is a row that is not there. Never throws. */
export function chosenRow(value: string): RowChoice {
  const [unit = '', collection = '', id = '', says = id] = value.split('/').map(unescaped);
  return { unit, collection, id, says };
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
