// Versions of appliances as they write them: `9.0.0.0.24703748`, `9.1.1.0-25012345`, `5.2.1.0`.

export interface ApplianceVersion {
  /** As the appliance writes it. */
  text: string;
  parts: readonly number[];
}

const FORM = /^\d{1,9}(?:[.-]\d{1,12}){1,7}$/;

/** Null when it isn't one. */
export function parseVersion(text: string): ApplianceVersion | null {
  const trimmed = text.trim();
  return FORM.test(trimmed) ? { text: trimmed, parts: trimmed.split(/[.-]/).map(Number) } : null;
}

/** The only releases whose API is known here. */
export const isSupported = ({ parts }: ApplianceVersion): boolean => parts[0] === 9;

/** `atLeast(version, 9, 1, 1)`; parts that the version lacks count as 0. */
export function atLeast({ parts }: ApplianceVersion, ...wanted: number[]): boolean {
  for (const [at, least] of wanted.entries()) {
    const part = parts[at] ?? 0;
    if (part !== least) return part > least;
  }
  return true;
}
