/** Most characters of a search; the database looks at no more either (private.turn_page). */
export const searchLimit = 200;
