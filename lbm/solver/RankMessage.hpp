// RankMessage: what ranks tell each other, with the values of the core that no other program sends.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Config.hpp"
#include "lbm/api/DomainMessage.hpp"
#include "lbm/model/SlabPlan.hpp"

namespace lbm {

using RankMessage = Message;

// f of every member, for both directions.
template<class C, class F>
void forMembers(C& c, F&& f)
{
    f(c.lattice), f(c.collision), f(c.equilibrium), f(c.storage), f(c.closure), f(c.coefficients), f(c.precision);
    f(c.device), f(c.arithmetic), f(c.tile), f(c.threads), f(c.deviceMemory), f(c.slabSteps), f(c.slabLayers);
    f(c.parts), f(c.exchange), f(c.sharedDevices), f(c.ranks), f(c.tau), f(c.magic), f(c.sigma), f(c.force),
        f(c.nodeForces), f(c.patches);
}

inline void put(RankMessage& message, const Config& config)
{
    forMembers(config, [&](const auto& member) { message.put(member); });
}

inline Config getConfig(RankMessage& message)
{
    Config config;
    forMembers(config, [&](auto& member) { message.get(member); });
    return config;
}

inline void put(RankMessage& message, const SlabShape& s)
{
    message.put(s.bounds), message.put(s.reach), message.put(s.remembers), message.put(s.periodic);
}

inline SlabShape getSlabShape(RankMessage& message)
{
    SlabShape s;
    message.get(s.bounds), message.get(s.reach), message.get(s.remembers), message.get(s.periodic);
    return s;
}

inline void put(RankMessage& message, const SlabPlan& plan)
{
    put(message, plan.shape);
    message.put(plan.steps), message.put(plan.windows), message.put(plan.linkTime), message.put(plan.deviceTime);
}

inline SlabPlan getSlabPlan(RankMessage& message)
{
    SlabPlan plan;
    plan.shape = getSlabShape(message);
    message.get(plan.steps), message.get(plan.windows), message.get(plan.linkTime), message.get(plan.deviceTime);
    return plan;
}

// But for windows, which are asked for one by one.
inline void put(RankMessage& message, const SlabOffer& offer)
{
    const SlabFacts& f = offer.facts;
    message.put(f.budget), message.put(f.nodeBytes), message.put(f.linkRate), message.put(f.deviceRate);
    message.put(f.nodesOfTile), message.put(f.startLayers), message.put(f.layersOfTile);
    put(message, offer.shape);
    message.put(offer.below);
}

inline SlabOffer getSlabOffer(RankMessage& message)
{
    SlabOffer offer;
    SlabFacts& f = offer.facts;
    message.get(f.budget), message.get(f.nodeBytes), message.get(f.linkRate), message.get(f.deviceRate);
    message.get(f.nodesOfTile), message.get(f.startLayers), message.get(f.layersOfTile);
    offer.shape = getSlabShape(message);
    message.get(offer.below);
    return offer;
}

} // namespace lbm
