/** What is due where nobody says otherwise: defaults of stations that no empire rules. */

/** Listing fee, basis points. Source: market.md section 3. */
export const FEE_BPS_DEFAULT = 100
/** Credits a point of hull. Source: ships.md section 5. */
export const REPAIR_CREDITS = 5
