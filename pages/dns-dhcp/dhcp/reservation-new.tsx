// Adding a reservation.
import { newItemPage } from '../../units/item-pages.tsx';
import { RESERVATION_PAGES } from './reservation-pages.tsx';

export const page = newItemPage(RESERVATION_PAGES);
