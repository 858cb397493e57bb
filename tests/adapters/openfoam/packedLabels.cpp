// Lists of labels in few bits: each is what it was, and found where it is. Part of lbmFoam, GPL-3.0-or-later.
#include "lbmPackedLabels.H"
#include "ListOps.H"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>

namespace lbm::test {
namespace {

using Foam::label;
using Foam::labelList;
using Foam::lbmPackedLabels;

void expectSame(const labelList& given)
{
    const lbmPackedLabels packed(given);
    ASSERT_EQ(packed.size(), given.size());
    EXPECT_EQ(packed.empty(), given.empty());
    EXPECT_EQ(packed.list(), given);
    label i = 0;
    for (const label value : packed) ASSERT_EQ(value, given[i++]);
    ASSERT_EQ(i, given.size());
}

// Numbers of links of one patch of several: some follow each other, some do not
labelList rising(label n)
{
    labelList numbers(n);
    label next = 5;
    forAll(numbers, i)
    {
        numbers[i] = next;
        next += i % 9 == 8 ? 1 + i % 37 : 1;
        if (i % 1000 == 999) next += 100000;
    }
    return numbers;
}

// Whole blocks, and one more or less
TEST(PackedLabels, keepWhatTheyWereGiven)
{
    for (const label n : {0, 1, 63, 64, 65, 128, 4711}) {
        expectSame(labelList(n, label(7)));
        expectSame(rising(n));
    }
}

// Of each width that differences may have
TEST(PackedLabels, keepDifferencesOfAnySize)
{
    for (int bits = 0; bits <= 31; ++bits) {
        const label most = bits == 31 ? std::numeric_limits<label>::max() : (label(1) << bits) - 1;
        labelList values(200);
        forAll(values, i) values[i] = i % 3 == 0 ? 0 : i % 3 == 1 ? most : most / (1 + i);
        expectSame(values);
    }
    expectSame({std::numeric_limits<label>::min(), std::numeric_limits<label>::max(), 0, -1});
}

TEST(PackedLabels, areFoundWhereTheyAre)
{
    const labelList given = rising(1500);
    const lbmPackedLabels packed(given);
    forAll(given, i) ASSERT_EQ(packed.find(given[i]), i);
    for (label value = 0; value < given[999] + 50; ++value)
        ASSERT_EQ(packed.find(value), findSortedIndex(given, value)) << value;
    EXPECT_EQ(packed.find(given.last() + 1), -1);
    EXPECT_EQ(lbmPackedLabels().find(3), -1);
}

// What they are for: a quarter of a list, and next to nothing of the same face again and again
TEST(PackedLabels, takeFewBytes)
{
    const label n = 100000;
    EXPECT_LT(4 * lbmPackedLabels(rising(n)).kept(), n * sizeof(label) * 3 / 2);
    labelList faces(n);
    forAll(faces, i) faces[i] = 1000 + i / 200;
    EXPECT_LT(10 * lbmPackedLabels(faces).kept(), n * sizeof(label));
}

} // namespace
} // namespace lbm::test
