// The second half of all pages in a real browser.
import { lookAtPages } from './pages-look.ts';

lookAtPages(1);
