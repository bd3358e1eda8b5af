// Random edits of random worlds: the first half.
import { fuzzEdits } from './dependents-edits.ts';

fuzzEdits(0);
