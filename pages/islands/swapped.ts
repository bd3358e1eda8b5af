// Tells the other parts of the script that regions of the page have new content.
const SWAPPED = 'groundcrew:swapped';

export function announceSwap(): void {
  document.dispatchEvent(new Event(SWAPPED));
}

/** Runs `work` now and after each swap. */
export function nowAndAfterSwaps(work: () => void): void {
  work();
  document.addEventListener(SWAPPED, work);
}
