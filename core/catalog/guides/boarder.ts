/** The guide to crews and marines, boarding, and bringing prizes home. */
import type { GuideRow } from './guide-row.ts'

export const BOARDER: GuideRow = {
  id: 'boarder',
  title: 'Crews, boarding and prizes',
  description: 'The people aboard, taking a ship by hand, and getting it home.',
  content: `# Crews, boarding and prizes

## Who is aboard
{get_ship} shows personnel: fit and injured crew, fit and injured marines. Below the minimum crew of
its class a ship flies, shoots and mines worse, down to a quarter. With nobody fit in its crew it
does nothing but {treat_personnel}, {recruit_personnel} and {self_destruct} (incapacitated); after
60 ticks without a battle one of the injured is up again.
  {recruit_personnel}  docked at a base with the service personnel: 25 credits a crew member, 120 a
                     marine, as long as its pool lasts; {get_base} shows the pools
  {treat_personnel}    a station: 40 credits a crew member, 80 a marine. In the field: a field
                     hospital aboard, and one medical_supplies for four people
  {transfer_personnel} to an ally beside you, to a ship of yours docked here, to your prize here
Barracks and quarters add berths. The injured keep theirs. People are never goods.

## Boarding
You need boarding gear (boarding_clamps, or an assault hull) and fit marines. In a battle:
  {battle stance} with {battle stance.stance} board, {battle stance.target_id}, marines
Your ship closes in by itself, fires no more and takes full damage. From the innermost ring the
clamps grip a ship that is there too, or one ring further out for each AU a tick that you are
faster, once its shield is down to a quarter; latch_status of {get_battle_status} says what is
lacking. Whoever has guns that reach keeps outside: bring a fast hull, or slow them with webs and
EM hits. Speed over the target's and latch strength shorten the latching, slick_plating hinders.
Ten ticks without progress and your ship lets go (closing_stalled). From latching on the target
cannot flee, warp or cloak.
Then marines fight marines, and after them the crew, tick by tick: three crew fight like one
marine. Half of those who fall are only hurt. Ends:
  captured                  nobody fit is left to defend; the hull is a prize
  plundered                 how most pirates end it: your cargo is theirs, the hull stays yours
  boarding_force_defeated   your marines are gone
  withdrawn                 you took another stance: three ticks, a tenth of the marines each
Two who want the same hull in one tick: the faster one, then the better clamps; the other keeps
its guns firing and the log says boarding_rejected. Nobody ever sees your numbers.
Who loses a ship so wakes at home in a starter, with every credit, but without insurance.

## Prizes
A taken hull lies where the battle began, with modules and cargo. For 360 ticks it is the
captor's alone, then anybody's; after 8,640 it is a wreck. Be in space at its place:
  {claim_prize} with {claim_prize.prize_id} and {claim_prize.destination_base_id}
Its minimum crew goes aboard out of yours; you keep at least one. It flies home by itself, a hop
at a time, with its own fuel, and rests a tick at each place, where others may attack it. Five at
a time.
  status    unclaimed, recovering, waiting, held; prize_update reports each change
  waiting   no_fuel, hull_critical (below a tenth), no_crew, no_route, in_combat, dock_refused
  {service_prize} stop, refuel, repair   beside it while it rests
  {service_prize} resume, redirect       from anywhere
It is yours when it is docked there: delivered. Destroyed it is lost, boarded it is recaptured.
Warlords of the pirates keep the hulls they take; such a prize flies for their nearest base, and
anybody who catches it on the way may take it back.
`,
}
