// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmLinkLaw.H"
#include "lbmSampledLaw.H"

#include <cmath>

namespace
{

// Nearest place that is sampled, and how much sampleStep each is than the one before
const Foam::scalar nearestSample = 1, sampleStep = 0.5;

// Of a place's weights, those of fluid nodes
const Foam::scalar wholeSample = 0.99;

// Of the way to the slip that is right, what is gone in one update
const Foam::scalar slipPart = 0.5;

Foam::vector vectorOf(const lbm::Vec3& v)
{
    return Foam::vector(v[0], v[1], v[2]);
}

lbm::Vec3 arrayOf(const Foam::vector& v) { return {v.x(), v.y(), v.z()}; }

Foam::vector alongWall(const Foam::vector& u, const Foam::vector& n)
{
    return u - n*(n & u);
}

Foam::scalar shearRateOf(const double* s)
{
    return std::sqrt
    (
        2*(s[0]*s[0] + s[3]*s[3] + s[5]*s[5])
      + 4*(s[1]*s[1] + s[2]*s[2] + s[4]*s[4])
    );
}

} // End anonymous namespace


// Adds the nodes around the place, if all are fluid; the distance then, else 0
Foam::scalar Foam::lbmLinkLaw::sampleAt
(
    const lbm::Domain& domain,
    const lbm::Link& link,
    const lbm::Vec3& normal,
    const scalar distance,
    lbm::NodeGroups& groups
)
{
    const lbm::Int3 at = domain.coordinates(link.node);
    const lbm::Int3 c = lbm::directionOf(link.direction);
    lbm::Int3 low;
    scalar up[3];
    for (direction a = 0; a < 3; ++a)
    {
        const scalar x = link.fraction*c[a] - distance*normal[a];
        low[a] = int(std::floor(x));
        up[a] = x - low[a];
    }
    std::vector<std::pair<lbm::NodeIndex, scalar>> terms;
    scalar sum = 0;
    for (label corner = 0; corner < 8; ++corner)
    {
        lbm::Int3 to(low);
        scalar weight = 1;
        for (direction a = 0; a < 3; ++a)
        {
            const bool above = corner >> a & 1;
            weight *= above ? up[a] : 1 - up[a];
            to[a] += above;
        }
        if (weight < SMALL) continue;
        const lbm::NodeIndex there = domain.neighbour(at, to);
        if (there < 0 || !domain.fluid[there]) continue;
        terms.push_back({there, weight});
        sum += weight;
    }
    if (sum < wholeSample) return 0;
    for (const auto& [node, weight] : terms) groups.add(node, weight/sum);
    groups.endGroup();
    return distance;
}


Foam::lbmLinkLaw::lbmLinkLaw
(
    const lbm::Solver& solver,
    const labelList& links,
    const std::vector<lbm::Vec3>& normals,
    const constants& c
)
:
    constants_(c),
    normals_(normals),
    stress_(links.size(), lbm::Vec3{0, 0, 0}),
    slip_(stress_),
    gain_(stress_),
    begun_(false),
    clipped_(0)
{
    const lbm::Domain& domain = solver.domain();
    std::vector<lbm::NodeIndex> nodes;
    lbm::NodeGroups groups(lbm::NodeSet::Kind::sumsOfFlow);
    forAll(links, i)
    {
        const lbm::Link& link = domain.links[links[i]];
        const lbm::Int3 direction = lbm::directionOf(link.direction);
        nodes.push_back(link.node);
        const vector n(vectorOf(normals[i]));
        const scalar y =
            link.fraction*(vector(direction[0], direction[1], direction[2]) & n);
        nodeAt_.push_back(max(y, scalar(0)));
        scalar found = 0;
        for (scalar d = lbmSampledLaw::away; d >= nearestSample && !(found > 0); d -= sampleStep)
        {
            found = sampleAt(domain, link, normals[i], d, groups);
        }
        if (!(found > 0))
        {
            groups.add(link.node, 1);
            groups.endGroup();
            found = max(y, sampleStep);
        }
        sampledAt_.push_back(found);
    }
    nodes_ = solver.place(nodes.data(), nodes.size());
    sampled_ = solver.place(groups);
    ofNodes_.resize(nodes.size()*lbm::valuesOf(lbm::Reading::state));
    ofSamples_.resize(nodes.size()*lbm::valuesOf(lbm::Reading::flow));
}


void Foam::lbmLinkLaw::follow
(
    const std::size_t i,
    const vector& atNode,
    const scalar nu1,
    const scalar share
)
{
    const vector u1(alongWall(atNode, vectorOf(normals_[i])));
    const scalar speed = mag(u1), y1 = nodeAt_[i];
    const vector stress(vectorOf(stress_[i]));
    vector gain(stress/nu1);
    // At rest where links that begin at the wall are told their velocity
    const scalar most = speed/(y1 + 0.5);
    if (mag(gain) > most)
    {
        gain *= most/mag(gain);
        clipped_ += 1;
    }
    const vector slip(u1 - gain*y1);
    slip_[i] = arrayOf(vectorOf(slip_[i]) + share*(slip - vectorOf(slip_[i])));
    gain_[i] = arrayOf(vectorOf(gain_[i]) + share*(gain - vectorOf(gain_[i])));
}


void Foam::lbmLinkLaw::update
(
    const lbm::Solver& solver,
    const std::vector<lbm::Vec3>& walls,
    const scalar nu,
    const viscosity& nuAt,
    const label steps
)
{
    constexpr int perNode = lbm::valuesOf(lbm::Reading::state);
    constexpr int perSample = lbm::valuesOf(lbm::Reading::flow);
    solver.sample(*nodes_, lbm::Reading::state, ofNodes_.data());
    solver.sample(*sampled_, lbm::Reading::flow, ofSamples_.data());
    clipped_ = 0;
    for (std::size_t i = 0; i < stress_.size(); ++i)
    {
        const vector wall(walls.empty() ? vector(Zero) : vectorOf(walls[i]));
        const double* sample = &ofSamples_[i*perSample];
        const vector past
        (
            alongWall(vector(sample[1], sample[2], sample[3]) - wall, vectorOf(normals_[i]))
        );
        const scalar u = mag(past), y = sampledAt_[i];
        const scalar uTau =
            lbmSampledLaw::frictionVelocity(u, y, nu, constants_.kappa, constants_.E);
        const vector stress(u > VSMALL ? vector(sqr(uTau)/u*past) : vector(Zero));
        const scalar share = begun_ ? 1 - std::exp(-steps*u/y) : 1;
        stress_[i] = arrayOf(vectorOf(stress_[i]) + share*(stress - vectorOf(stress_[i])));

        const double* node = &ofNodes_[i*perNode];
        const vector at(node[1], node[2], node[3]);
        const scalar nu1 = nuAt(shearRateOf(node + perSample), mag(at));
        follow(i, at - wall, nu1, begun_ ? slipPart : 1);
    }
    if (stress_.size()) clipped_ /= stress_.size();
    begun_ = true;
}


Foam::scalar Foam::lbmLinkLaw::yPlus(const scalar nu) const
{
    scalar sum = 0;
    for (std::size_t i = 0; i < stress_.size(); ++i)
    {
        sum += sampledAt_[i]*std::sqrt(mag(vectorOf(stress_[i])))/nu;
    }
    return stress_.size() ? sum/stress_.size() : 0;
}


void Foam::lbmLinkLaw::convert(const scalar faster)
{
    for (std::size_t i = 0; i < stress_.size(); ++i)
    {
        stress_[i] = arrayOf(sqr(faster)*vectorOf(stress_[i]));
        slip_[i] = arrayOf(faster*vectorOf(slip_[i]));
        gain_[i] = arrayOf(faster*vectorOf(gain_[i]));
    }
}


void Foam::lbmLinkLaw::note
(
    const std::string& name,
    lbm::CheckpointNotes& notes
) const
{
    if (!begun_) return;
    std::vector<double>& values = notes.arrays[name];
    values.clear();
    for (const auto* of : {&stress_, &slip_, &gain_})
    {
        for (const lbm::Vec3& v : *of) values.insert(values.end(), v.begin(), v.end());
    }
}


void Foam::lbmLinkLaw::recall
(
    const std::string& name,
    const lbm::CheckpointNotes& notes
)
{
    const auto found = notes.arrays.find(name);
    if
    (
        found == notes.arrays.end()
     || found->second.size() != 9*stress_.size()
    ) return;
    const double* from = found->second.data();
    for (auto* of : {&stress_, &slip_, &gain_})
    {
        for (lbm::Vec3& v : *of)
        {
            for (double& component : v) component = *from++;
        }
    }
    begun_ = true;
}
