/** Looking at bases. */
import { EMPIRES } from '../../core/catalog/index.ts'
import { query } from '../../core/command.ts'
import { ok } from '../../core/errors.ts'
import { list, NO_PARAMS, obj, strings } from '../../core/params.ts'
import { renderPersonnelService } from '../personnel/views.ts'
import { seesPoi } from '../sensing/rules.ts'
import { DOCKED, dockedBase } from '../travel/rules.ts'
import { Base } from './columns.ts'
import { servicesOf } from './rules.ts'
import { getBaseResult, stationSchema } from './schemas.ts'
import { renderBase, renderCondition, renderFuel, renderStation } from './views.ts'

export const getBase = query({
  name: 'get_base',
  v2: { tool: 'game', action: 'get_base' },
  summary: 'The base where you are docked: services, fuel, defences, condition.',
  category: 'navigation',
  params: NO_PARAMS,
  result: getBaseResult,
  needs: [DOCKED],
  errors: ['in_transit', 'not_docked'],
  run(view, player) {
    const base = dockedBase(view, player)
    return ok({
      base: renderBase(view, base),
      condition: renderCondition(view, base),
      services: servicesOf(view, base),
      ...renderFuel(view, base),
      ...renderPersonnelService(view, base),
    })
  },
})

/** Source: WIRE.md 6.7. */
export const publicStations = query({
  name: 'internal:stations',
  summary: 'All stations at places on the chart, for the public website data.',
  category: 'internal',
  params: NO_PARAMS,
  result: obj({
    stations: list(stationSchema),
    empires: list(obj(strings('id', 'name', 'color'))),
  }),
  needs: [],
  errors: [],
  open: true,
  run(view) {
    const { alive, poi } = view.read(Base)
    const stations = []
    for (let row = 1; row <= view.highOf(Base); row++) {
      if (alive[row] === 1 && seesPoi(view, 0, poi[row])) stations.push(renderStation(view, row))
    }
    const empires = EMPIRES.map(({ id, name, primary_color }) => ({
      id,
      name,
      color: primary_color,
    }))
    return ok({ stations, empires })
  },
})
