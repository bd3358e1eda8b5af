// Amounts of bytes, and how long the rest of them takes, as words.

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

/** `689 MiB`, `4.2 GiB`. */
export function byteWords(bytes: number): string {
  return `${figure(bytes, powerOf(bytes))} ${UNITS[powerOf(bytes)]}`;
}

/** `1.8 of 4.2 GiB`: both in the unit of the whole, so that the first grows calmly. */
export function bytesOf(done: number, total: number): string {
  const power = powerOf(total);
  return `${figure(Math.min(done, total), power)} of ${figure(total, power)} ${UNITS[power]}`;
}

/** `112 MiB/s` */
export const rateWords = (bytes_per_second: number): string => `${byteWords(bytes_per_second)}/s`;

/** `22 s left`, `about 4 min left`, `about 1 h 10 min left`: no finer than an estimate is. */
export function leftWords(seconds: number | null): string {
  if (seconds === null) return 'no telling how long';
  if (seconds < 2) return 'done in a moment';
  if (seconds < 60) return `${Math.ceil(seconds)} s left`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 60) return `about ${minutes} min left`;
  const tens = Math.ceil(minutes / 10) * 10;
  const [hours, rest] = [Math.floor(tens / 60), tens % 60];
  return `about ${hours} h${rest === 0 ? '' : ` ${rest} min`} left`;
}

/** 999.6 MiB is a GiB, not 1000 MiB. */
function powerOf(bytes: number): number {
  if (bytes < 1000) return 0;
  return Math.min(UNITS.length - 1, Math.floor(Math.log(bytes * 1.025) / Math.log(1024)));
}

function figure(bytes: number, power: number): string {
  const value = bytes / 1024 ** power;
  return power > 0 && value < 100 ? value.toFixed(1) : String(Math.round(value));
}
